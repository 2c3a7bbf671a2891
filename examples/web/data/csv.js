// Columns of numbers of a CSV file, read piece by piece.
//
// Rules: fields are separated by commas, semicolons or tabs, whichever the first lines have; a field may stand in double
// quotes, in which a quote is written twice; lines end with LF or CRLF; lines that begin with # and empty lines are left
// out; a first line with a field that is no number has the names. Empty fields, `NA`, `nan` and `null` are missing values.
// A decimal comma is refused, because it cannot be told from a separator.

export const LIMITS = Object.freeze({ bytes: 256 * 1024 * 1024, numbers: 30_000_000, columns: 200 });

/** Error in a file, with the line that has it. */
export class CsvError extends Error {
  constructor(message, line) {
    super(line === undefined ? message : `line ${line}: ${message}`);
    this.line = line;
  }
}

const MISSING = new Set(["", "na", "n/a", "nan", "null"]);
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const DECIMAL_COMMA = /^[+-]?\d+,\d+(?:[eE][+-]?\d+)?$/;

/** Growing column of numbers. */
class Column {
  name = "";
  missing = 0;
  text = null;
  #values = new Float64Array(1024);
  #length = 0;

  push(value) {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  get values() {
    return this.#values.slice(0, this.#length);
  }
}

/** Reader of a CSV file: `push` takes pieces of its text, `finish` returns {columns, rows, separator, notes}. */
export class CsvReader {
  #rest = "";
  #line = 1;
  #separator = null;
  #columns = null;
  #rows = 0;
  #first = true;

  push(piece) {
    let text = this.#rest + piece;
    if (this.#first && text.length > 0) {
      text = text.replace(/^\ufeff/, "");
      this.#first = false;
    }
    if (this.#separator === null) {
      // A separator is chosen once there are a few lines to look at.
      if (text.length < 65_536 && piece !== "") {
        this.#rest = text;
        return;
      }
      this.#separator = separatorOf(text);
    }
    this.#rest = text.slice(this.#records(text));
    if (this.#rest.length > 1_000_000) throw new CsvError("a line has more than a million letters, or a quote is not closed", this.#line);
  }

  finish() {
    this.#separator ??= separatorOf(this.#rest.replace(/^\ufeff/, ""));
    const rest = this.#rest.endsWith("\n") || this.#rest === "" ? this.#rest : `${this.#rest}\n`;
    const used = this.#records(rest);
    if (used < rest.length) throw new CsvError("a quote is not closed", this.#line);
    if (this.#columns === null) throw new CsvError("the file has no rows");
    if (this.#rows === 0) throw new CsvError("the file has names and no rows");
    return this.#result();
  }

  #result() {
    const notes = [];
    const kept = this.#columns.filter((column) => column.text === null);
    for (const column of this.#columns) {
      if (column.text !== null) notes.push(`Column \`${column.name}\` is left out: line ${column.text.line} has \`${column.text.field}\`, which is no number.`);
      else if (column.missing > 0) notes.push(`Column \`${column.name}\` has ${column.missing} missing values.`);
    }
    if (kept.length === 0) throw new CsvError("no column has numbers only");
    const columns = kept.map(({ name, values, missing }) => ({ name, values, missing }));
    return { columns, rows: this.#rows, separator: this.#separator, notes };
  }

  /** Reads all complete records; returns how many letters they have. */
  #records(text) {
    let start = 0;
    for (;;) {
      let end = text.indexOf("\n", start);
      if (end < 0) return start;
      let record = text.slice(start, end);
      let lines = 1;
      if (record.includes('"')) {
        // A quoted field may contain line ends: the record goes on while a quote is open.
        while ((record.split('"').length - 1) % 2 === 1) {
          end = text.indexOf("\n", end + 1);
          if (end < 0) return start;
          record = text.slice(start, end);
          lines += 1;
        }
      }
      if (record.endsWith("\r")) record = record.slice(0, -1);
      if (record !== "" && !record.startsWith("#")) this.#record(record);
      this.#line += lines;
      start = end + 1;
    }
  }

  #record(record) {
    const fields = record.includes('"') ? quotedFields(record, this.#separator, this.#line) : record.split(this.#separator);
    if (this.#columns === null) {
      this.#start(fields);
      if (fields.some((field) => !isValue(field.trim()))) return;
    }
    if (fields.length !== this.#columns.length) {
      throw new CsvError(`${fields.length} fields, expected ${this.#columns.length}`, this.#line);
    }
    this.#rows += 1;
    if (this.#rows * fields.length > LIMITS.numbers) {
      throw new CsvError(`more than ${LIMITS.numbers / 1e6} million numbers: take every n-th row, or fewer columns`, this.#line);
    }
    for (let k = 0; k < fields.length; k += 1) this.#value(this.#columns[k], fields[k].trim());
  }

  /** Names of the columns, from the first record or by their numbers. */
  #start(fields) {
    if (fields.length > LIMITS.columns) throw new CsvError(`${fields.length} columns, more than ${LIMITS.columns}`, this.#line);
    for (const field of fields) this.#refuseComma(field.trim());
    const named = fields.some((field) => !isValue(field.trim()));
    const seen = new Map();
    this.#columns = fields.map((field, k) => {
      const column = new Column();
      const own = (named && field.trim()) || `column ${k + 1}`;
      const times = seen.get(own) ?? 0;
      seen.set(own, times + 1);
      column.name = times === 0 ? own : `${own} (${times + 1})`;
      return column;
    });
  }

  #value(column, field) {
    // Numbers are the common case, and the pattern refuses what `Number` would take besides: hexadecimal, `Infinity`.
    if (NUMBER.test(field)) {
      column.push(Number(field));
    } else if (MISSING.has(field.toLowerCase())) {
      column.missing += 1;
      column.push(NaN);
    } else {
      this.#refuseComma(field);
      column.text ??= { field: field.slice(0, 40), line: this.#line };
      column.push(NaN);
    }
  }

  #refuseComma(field) {
    if (!DECIMAL_COMMA.test(field)) return;
    const point = field.replace(",", ".");
    throw new CsvError(`\`${field}\` has a decimal comma: write \`${point}\`, with a point`, this.#line);
  }
}

function isValue(field) {
  return NUMBER.test(field) || MISSING.has(field.toLowerCase()) || DECIMAL_COMMA.test(field);
}

/** Separator of a text: tab, semicolon or comma, the first that splits its first lines into equally many fields. */
export function separatorOf(text) {
  const lines = text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#")).slice(0, 20);
  // The last of many lines may be cut.
  if (lines.length > 2 && !text.endsWith("\n")) lines.pop();
  const bare = lines.map((line) => line.replace(/"[^"]*"/g, ""));
  const splits = (separator) => {
    const counts = bare.map((line) => line.split(separator).length);
    return counts[0] > 1 && counts.every((count) => count === counts[0]);
  };
  // Where none does, the first line decides, and the error names the line that differs.
  const candidates = ["\t", ";", ","];
  return candidates.find(splits) ?? candidates.find((separator) => bare[0]?.includes(separator)) ?? ",";
}

function quotedFields(record, separator, line) {
  const fields = [];
  let at = 0;
  for (;;) {
    if (record[at] === '"') {
      let [field, end] = ["", at + 1];
      for (;;) {
        const quote = record.indexOf('"', end);
        if (quote < 0) throw new CsvError("a quote is not closed", line);
        field += record.slice(end, quote);
        end = quote + 1;
        if (record[end] !== '"') break;
        field += '"';
        end += 1;
      }
      if (end < record.length && record[end] !== separator) throw new CsvError("letters follow a closing quote", line);
      fields.push(field);
      at = end;
    } else {
      const end = record.indexOf(separator, at);
      fields.push(record.slice(at, end < 0 ? record.length : end));
      at = end < 0 ? record.length : end;
    }
    if (at >= record.length) return fields;
    at += 1;
    if (at === record.length) return [...fields, ""];
  }
}
