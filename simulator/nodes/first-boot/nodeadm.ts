/**
 * User data in several parts: nodeadm keeps its NodeConfig, cloud-init reads the #cloud-config; each ignores the
 * other's part.
 */
import { BootFailure } from './boot-failure.ts';
import { cloudConfig } from './cloud-config.ts';
import type { BootFile, Format } from './format.ts';

/** Where nodeadm stores its configuration. */
export const NODE_CONFIG = '/run/eks/nodeadm/config.json';

interface Part {
  readonly contentType: string;
  readonly text: string;
}

export const multipart: Format = {
  recognises: (text) => /^Content-Type: multipart\//im.test(headOf(text)),
  read: (text) => ({ files: partsOf(text).flatMap(filesOf), text }),
};

function filesOf({ contentType, text }: Part): readonly BootFile[] {
  if (contentType === 'application/node.eks.aws') return [{ path: NODE_CONFIG, content: text }];
  return contentType === 'text/cloud-config' ? cloudConfig.read(text).files : [];
}

function partsOf(message: string): readonly Part[] {
  const head = headOf(message);
  const boundary = /boundary="?([^"\s;]+)"?/i.exec(head)?.[1];
  if (boundary === undefined) throw new BootFailure('nodeadm: multipart: boundary is empty');
  const sections = `\n${message.slice(head.length + 2)}`.split(`\n--${boundary}`);
  if (sections.length < 3 || !sections.at(-1)?.startsWith('--'))
    throw new BootFailure('nodeadm: multipart: NextPart: EOF');
  return sections.slice(1, -1).map((section) => {
    const own = headOf(section);
    const contentType = /^Content-Type: *([^;\s]+)/im.exec(own)?.[1]?.toLowerCase() ?? '';
    return { contentType, text: section.slice(own.length + 2) };
  });
}

/** Up to the first empty line. */
function headOf(text: string): string {
  const end = text.indexOf('\n\n');
  return end === -1 ? '' : text.slice(0, end);
}
