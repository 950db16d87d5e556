"""One index over many sites: versions, languages, projects that are deployed into one tree."""
