// A table that its headings sort.

/**
 * columns: [{head, sub, get(row), text(value), isWords}]. look(row): attributes of its line; where there is a `style` with
 * a colour --c, the first cell shows it.
 */
class SortedTable {
  constructor(host, columns, rows, look = () => ({})) {
    Object.assign(this, {host, columns, rows, look});
    this.sorted = null;  // {column, down}
    const head = make('tr');
    columns.forEach((column, k) => head.append(make('th', {scope: 'col', class: column.isWords ? 'words-cell' : undefined},
      make('button', {type: 'button', onclick: () => this.sort(k)}, column.head, column.sub ? make('small', {}, column.sub) : null))));
    host.replaceChildren(make('thead', {}, head), make('tbody'));
    this.fill();
  }

  /** By a column; upwards, and downwards when it is asked again. */
  sort(column) {
    this.sorted = {column, down: this.sorted?.column === column && !this.sorted.down};
    this.fill();
  }

  order(a, b) {
    const {get} = this.columns[this.sorted.column], [x, y] = [get(a), get(b)];
    const up = typeof x === 'string' ? x.localeCompare(y) : (isNumber(x) ? 0 : 1) - (isNumber(y) ? 0 : 1) || x - y;
    return this.sorted.down ? -up : up;
  }

  fill() {
    const {host, columns, sorted, look} = this;
    const rows = sorted ? [...this.rows].sort((a, b) => this.order(a, b)) : this.rows;
    host.tBodies[0].replaceChildren(...rows.map((row) => {
      const attributes = look(row);
      return make('tr', attributes, ...columns.map((column, k) => make('td', {class: column.isWords ? 'words-cell' : undefined},
        k === 0 && attributes.style ? make('i') : null, column.text(column.get(row)))));
    }));
    [...host.tHead.rows[0].cells].forEach((cell, k) =>
      cell.setAttribute('aria-sort', sorted?.column !== k ? 'none' : sorted.down ? 'descending' : 'ascending'));
  }
}
