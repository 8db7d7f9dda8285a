/**
 * A plan in readable form: files as text, and keys, certificates and tokens masked, so that it is the same every time.
 */
import { Document, isScalar, Scalar, visit } from 'yaml';
import type { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';

export function masked(plan: ScriptedPlan): string {
  const files = plan.files.map((file) => ({ ...file, content: withoutSecrets(file.content) }));
  const document = new Document({ ...plan, files }, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      if (isScalar(node) && typeof node.value === 'string' && node.value.includes('\n'))
        node.type = Scalar.BLOCK_LITERAL;
    },
  });
  return document.toString({ lineWidth: 0 });
}

function withoutSecrets(content: string): string {
  return Buffer.from(content, 'base64')
    .toString()
    .replaceAll(/(?<=-----BEGIN [A-Z ]+-----\n)[\s\S]+?(?=-----END)/g, 'masked\n')
    .replaceAll(/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, 'masked.token')
    .replaceAll(/\bbootstrap-token-[a-z0-9]{6}\b/g, 'bootstrap-token-masked')
    .replaceAll(/(?<=^ *token-(id|secret): ).+$/gm, 'masked')
    .replace(/^H4sI[A-Za-z0-9+/=]+$/, 'masked') // a gzipped join token
    .replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256:masked')
    .replaceAll(/\bK10[0-9a-f]{64}::/g, 'K10masked::')
    .replaceAll(/\b[0-9a-f]{32}\b/g, 'masked');
}
