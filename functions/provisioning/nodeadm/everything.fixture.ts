/** One value for every field of a claim that nodeadm images support. Nothing in it is a real secret. */
import type { JsonObject } from '#lib/api/json.ts';
import { EVERY_PROVISIONING, REGISTRIES } from '../../../test/support/everything.ts';

/** nodeadm images cannot express what cloud-init cannot; and nothing runs there after the kubelet was started. */
export const EVERY_NODEADM_PROVISIONING: JsonObject = {
  ...EVERY_PROVISIONING,
  format: 'nodeadm',
  commands: { pre: [`echo 'it''s' "$HOME"`, 'true | cat'] },
  proxy: { http: 'http://proxy.example.com:3128', https: 'http://proxy.example.com:3128', none: ['.internal'] },
  registries: REGISTRIES,
  raw: { 'cloud-init': { final_message: 'über' }, nodeadm: { cluster: { enableOutpost: false } } },
};
