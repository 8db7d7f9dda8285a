/** The final output of the suite: the machines with the time each took, and the cases. */

export interface MachineRow {
  readonly machine: string;
  readonly role: string;
  /** From boot to a Ready Node. */
  readonly seconds: number;
}

export interface Outcome {
  readonly name: string;
  readonly result: 'passed' | 'failed';
  readonly seconds: number;
  /** The details of the case, or why it failed, in one line. */
  readonly note: string;
}

export function machineTable(rows: readonly MachineRow[]): string {
  return table(
    ['MACHINE', 'ROLE', 'SECONDS'],
    rows.map(({ machine, role, seconds }) => [machine, role, String(Math.round(seconds))]),
  );
}

export function outcomeTable(outcomes: readonly Outcome[]): string {
  return table(
    ['CASE', 'RESULT', 'NOTE'],
    outcomes.map(({ name, result, note }) => [name, result, note]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [head, ...rows].map((row) => `${line(row)}\n`).join('');
}
