/** nodeadm of EKS: one NodeConfig, and a #cloud-config for everything else, because its images run cloud-init first. */
import type { Payload } from '#lib/api/contracts/payload.ts';
import type { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import { canonical, type JsonObject } from '#lib/api/json.ts';
import { proxyVariables } from '#lib/api/proxy.ts';
import { cloudConfigPayload } from '../cloud-init/cloud-init.ts';
import { mergeDisjoint } from '../lay-over.ts';
import type { Order, Provisioner } from '../provisioner.ts';
import { onAmazonLinux } from './amazon-linux.ts';
import { CUSTOMISED, GATE } from './gate.ts';
import { type MimePart, multipart } from './mime.ts';
import { refusePassword } from './rules.ts';
import { traits } from './traits.ts';

const FORMAT = 'nodeadm';

export const nodeadm: Provisioner<'nodeadm'> = {
  ...traits.expresses,
  render,
};

function render(order: Order<'nodeadm'>): Payload {
  // That of a Secret.
  refusePassword(order.customisation.proxy, order.owner);
  return {
    contract: 1,
    format: traits.payload,
    contentType: traits.contentType,
    value: Buffer.from(multipart([GATE, nodeConfigPart(order), cloudConfigPart(order)])).toString('base64'),
    gzip: true,
  };
}

function nodeConfigPart({ plan, customisation, owner }: Order<'nodeadm'>): MimePart {
  const { proxy, raw } = customisation;
  const planned = plan.config as JsonObject;
  // nodeadm calls EC2 before any file of a claim is written, so the proxy is also in its own configuration.
  const environment = Object.fromEntries(proxy === undefined ? [] : proxyVariables(proxy, plan.noProxy ?? []));
  const proxied: JsonObject =
    proxy === undefined ? {} : { spec: { instance: { environment: { default: environment } } } };
  const config = mergeDisjoint(planned, proxied, 'spec.provisioning.proxy', owner);
  const whole = mergeDisjoint(
    config,
    { spec: (raw[FORMAT] ?? {}) as JsonObject },
    `spec.provisioning.raw.${FORMAT}`,
    owner,
  );
  return { contentType: 'application/node.eks.aws', text: asciiJson(whole) };
}

/** The cloud-init data of a host without a bootstrap. */
function cloudConfigPart({ plan, customisation, owner }: Order<'nodeadm'>): MimePart {
  const { left, files, steps } = onAmazonLinux(customisation);
  const host: ScriptedPlan = {
    contract: 1,
    kind: 'scripted',
    provider: plan.provider,
    nodeName: plan.nodeName,
    files: [...plan.files, ...files],
    units: [],
    commands: { pre: [], bootstrap: [], post: [] },
    sentinel: CUSTOMISED,
    removeAfterBootstrap: [],
    noProxy: plan.noProxy,
  };
  const { contentType, value } = cloudConfigPayload({ plan: host, customisation: left, owner }, steps);
  return { contentType, text: Buffer.from(value, 'base64').toString() };
}

/** JSON is valid YAML; keys are sorted, so that the same claim gives the same text. */
function asciiJson(config: JsonObject): string {
  const text = JSON.stringify(JSON.parse(canonical(config)), undefined, 2);
  return `${text.replaceAll(/[^\n\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
