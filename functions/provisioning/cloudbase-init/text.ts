/** Texts of PowerShell. */

/** One PowerShell string; PowerShell treats typographic quotes like plain ones. */
export function text(value: string): string {
  return `'${value.replaceAll(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`;
}
