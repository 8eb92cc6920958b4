"use strict";
(() => {
  const map = document.getElementById("map");
  const rows = Array.from(map.querySelectorAll(".row"));
  const heads = Array.from(map.querySelectorAll(".head [data-column]"));
  const find = document.getElementById("find");
  const differ = document.getElementById("differ");
  const count = document.getElementById("count");
  const usual = new Map(rows.map((row, at) => [row, at]));

  // What a row is sorted by: the verdict of a model, then its score; or its name.
  const key = (row, column) => {
    if (column < 0) return row.querySelector(".name").textContent;
    const cell = row.querySelectorAll(".c")[column];
    return Number(cell.dataset.v) * 1000 + Number(cell.dataset.s);
  };
  const compare = (left, right) => (left < right ? -1 : Number(right < left));

  const place = (sorted) => map.append(...sorted);
  const unsort = () => heads.forEach((head) => head.removeAttribute("data-sorted"));
  const sort = (head) => {
    const column = Number(head.dataset.column);
    const order = column < 0 ? ["up", "down"] : ["down", "up"];
    const next = order[order.indexOf(head.dataset.sorted) + 1];
    unsort();
    if (!next) return place(rows);
    head.dataset.sorted = next;
    const sign = next === "up" ? 1 : -1;
    const keys = new Map(rows.map((row) => [row, key(row, column)]));
    place([...rows].sort((left, right) => sign * compare(keys.get(left), keys.get(right)) || usual.get(left) - usual.get(right)));
  };

  const filter = () => {
    const wanted = find.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const fits = row.querySelector(".name").textContent.toLowerCase().includes(wanted);
      row.hidden = !fits || (differ.checked && row.dataset.d === "0");
      shown += Number(!row.hidden);
    }
    count.textContent = shown === rows.length ? "" : `${shown} of ${rows.length} subjects`;
  };

  heads.forEach((head) => head.addEventListener("click", () => sort(head)));
  find.addEventListener("input", filter);
  differ.addEventListener("change", filter);
  document.getElementById("reset").addEventListener("click", () => { unsort(); place(rows); });
  document.querySelector(".tools").addEventListener("submit", (event) => event.preventDefault());
  document.querySelector(".tools").hidden = false;
  filter();
})();
