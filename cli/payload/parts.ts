/** User data of several parts for reading: NodeConfig as YAML, the cloud-config with its files as text. */
import { own } from '#lib/api/json.ts';
import { parse, stringify } from 'yaml';
import { readableCloudConfig } from './cloud-config.ts';

type Reader = (text: string, showSecrets: boolean) => string;

/** By type of their content; any other is shown as it is. */
const READERS: Readonly<Record<string, Reader>> = {
  'application/node.eks.aws': readableNodeConfig,
  'text/cloud-config': readableCloudConfig,
};

/** Keeps headers and boundaries, so that the parts can be told apart. */
export function readableParts(message: string, showSecrets: boolean): string {
  const boundary = /^Content-Type: multipart\/[^\n]*boundary="(?<boundary>[^"\n]+)"/m.exec(message)?.groups?.[
    'boundary'
  ];
  if (boundary === undefined) return message;
  const delimiter = `\n--${boundary}`;
  return message
    .split(delimiter)
    .map((section) => readableSection(section, showSecrets))
    .join(delimiter);
}

function readableSection(section: string, showSecrets: boolean): string {
  const end = section.indexOf('\n\n');
  const head = section.slice(0, end + 2);
  const type = /^Content-Type: (?<type>\S+)$/m.exec(head)?.groups?.['type'] ?? '';
  const reader = own(READERS, type);
  return reader === undefined ? section : `${head}${reader(section.slice(head.length), showSecrets)}`;
}

/** In blocks: a secret inside a quoted string would not be found. */
function readableNodeConfig(text: string): string {
  return stringify(parse(text, { logLevel: 'error' }), { lineWidth: 0, blockQuote: 'literal' });
}
