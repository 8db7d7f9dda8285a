/** cloud-init as MIME parser: the parts into which its own code splits user data. */
import type { Part } from '../support/mime.ts';
import { type CloudInit, withFile } from './cloud-init.ts';
import { runCommand } from './run.ts';

const TAKE_APART = `
import base64, json, sys
from cloudinit import handlers
from cloudinit.user_data import UserDataProcessor
parts = []
def take(_data, _name, payload, headers):
    text = payload if isinstance(payload, bytes) else payload.encode()
    parts.append([headers["Content-Type"], base64.b64encode(text).decode()])
handlers.walk(UserDataProcessor(None).process(open(sys.argv[1], "rb").read()), take, None)
print(json.dumps(parts))
`;

export function partsAsCloudInitReads({ python, packages }: CloudInit, text: string): readonly Part[] {
  return withFile(text, (path) => {
    const { ok, output } = runCommand(python, ['-c', TAKE_APART, path], { env: { PYTHONPATH: packages } });
    if (!ok) throw new Error(output);
    const parts = JSON.parse(output) as readonly (readonly [string, string])[];
    return parts.map(([contentType, value]) => ({ contentType, text: Buffer.from(value, 'base64').toString() }));
  });
}
