/** The script of a Windows host for golden files: its base64 commands decoded to text. */
export function stepsOf(script: string): string {
  return script
    .replaceAll(
      /(?<=^Invoke-(?:Step|Once) '[^']+' )'([A-Za-z0-9+/=]*)'/gm,
      (_, encoded: string) => `<<\n${readable(encoded)}>>`,
    )
    .replaceAll('\ufeff', '')
    .replaceAll('\r\n', '\n');
}

function readable(encoded: string): string {
  return Buffer.from(encoded, 'base64').toString().replaceAll('\ufeff', '');
}
