"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      const numbers = head.classList.contains("number");
      const key = row => {
        const cell = row.cells[column], time = cell.querySelector("time");
        const text = cell.dataset.key ?? time?.dateTime ?? cell.textContent;
        return numbers ? Number(text) : text;
      };
      const compare = (a, b) => a < b ? -sign : a > b ? sign : 0;
      const rows = [...table.tBodies[0].rows].map(row => [key(row), row]);
      rows.sort((a, b) => compare(a[0], b[0]));
      table.tBodies[0].append(...rows.map(([, row]) => row));
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending");
    });
  });
}
