/** MIME multipart as readers of user data parse it: by the boundary in its header. */

export interface Part {
  readonly contentType: string;
  readonly text: string;
}

export function partsOf(message: string): readonly Part[] {
  const split = message.indexOf('\n\n');
  const boundary = /^Content-Type: multipart\/mixed; boundary="([^"]+)"$/m.exec(message.slice(0, split))?.[1];
  if (boundary === undefined) throw new Error('no boundary is named');
  const sections = `\n${message.slice(split + 2)}`.split(`\n--${boundary}`);
  if (sections[0] !== '\n' && sections[0] !== '') throw new Error('something stands before the first part');
  if (sections.at(-1) !== '--\n') throw new Error('there is no end');
  return sections.slice(1, -1).map((section) => {
    const end = section.indexOf('\n\n');
    const contentType = /^Content-Type: (.+)$/m.exec(section.slice(0, end))?.[1] ?? '';
    return { contentType, text: section.slice(end + 2) };
  });
}

export function partOf(message: string, contentType: string): string {
  const found = partsOf(message).find((part) => part.contentType === contentType);
  if (found === undefined) throw new Error(`no part is ${contentType}`);
  return found.text;
}
