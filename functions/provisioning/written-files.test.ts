/** What a format writes for other settings of a claim is refused of the claim's files, before there is a machine. */
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { EVERY_PROVISIONING } from '../../test/support/everything.ts';
import { filesOf } from '../../test/support/first-boot.ts';
import { refuseFirstBoot } from './formats.ts';
import { aNodeadmPlan, aPlan, rendered } from './plan.fixture.ts';
import { refusalOf } from './refusals.fixture.ts';
import { PROVISIONER_TRAITS } from './traits.ts';

interface IgnitionConfig {
  readonly ignition: { readonly config?: { readonly replace: { readonly source: string } } };
  readonly storage: {
    readonly files: readonly { readonly path: string; readonly contents?: unknown; readonly append?: unknown }[];
  };
}

const ofCloudConfig = (text: string): readonly string[] =>
  filesOf(text).flatMap(({ path, append }) => (append ? [] : [path]));
const ofIgnition = (text: string): readonly string[] => {
  const { ignition, storage } = JSON.parse(text) as IgnitionConfig;
  const packed = ignition.config?.replace.source.split(',')[1];
  if (packed !== undefined) return ofIgnition(gunzipSync(Buffer.from(packed, 'base64')).toString());
  return storage.files.flatMap(({ path, append }) => (append === undefined ? [path] : []));
};
/** That in the last part of several. */
const ofParts = (text: string): readonly string[] =>
  ofCloudConfig(/#cloud-config[\s\S]*?(?=\r?\n--)/.exec(text)?.[0] ?? '');

const FORMATS = [
  { format: 'cloud-init', kind: 'scripted', plan: aPlan(), pathsIn: ofCloudConfig },
  { format: 'ignition', kind: 'scripted', plan: aPlan(), pathsIn: ofIgnition },
  { format: 'ignition-2.3', kind: 'scripted', plan: aPlan(), pathsIn: ofIgnition },
  { format: 'nodeadm', kind: 'nodeadm', plan: aNodeadmPlan(), pathsIn: ofParts },
] as const;

/** Every setting that the format can express, without files. */
function everyOther(format: string): JsonObject {
  const { limits } = PROVISIONER_TRAITS[format]!.expresses;
  const { files: _files, raw: _raw, mounts: _mounts, ...others } = EVERY_PROVISIONING;
  const said = Object.entries(others).filter(([field]) => !Object.hasOwn(limits, field));
  const proxy = { http: 'http://proxy.example.com:3128', https: 'http://proxy.example.com:3128' };
  return { ...Object.fromEntries(said), proxy, format, commands: { pre: ['true'] } };
}

test.for(FORMATS)('$format: each file of its own', async ({ format, kind, plan, pathsIn }) => {
  const others = everyOther(format);
  const paths = pathsIn(await rendered(others, plan));
  expect(paths.length, 'it did look').toBeGreaterThan(3);
  // The root of what the first boot uses itself, refused by the schema of files.
  for (const path of paths.filter((one) => !one.startsWith('/var/lib/slipway/'))) {
    const given = {
      ...others,
      files: [
        { path: '/etc/motd', content: 'a' },
        { path, content: 'b' },
      ],
    };
    const { format: _format, ...claimed } = Provisioning.parse(given);
    expect((await refusalOf(given, plan)).message, 'at the machine').toContain(JSON.stringify(path));
    expect(
      () => refuseFirstBoot({ ...claimed, format }, { provider: 'x', plan: { kind } }, 'NodePool "a"', []),
      'at the claim',
    ).toThrow(
      `cannot accept NodePool "a": spec.provisioning.files[1].path: ${JSON.stringify(path)} is not accepted; accepted: another path, since ${format} writes this file`,
    );
  }
});

test('a unit from a Secret is a file with Ignition, and one in the claim is not', () => {
  const contentsFrom = { secret: { name: 'app', key: 'unit' } };
  const path = '/etc/systemd/system/app.service';
  const judge = (unit: JsonObject) => () => {
    const claimed = Provisioning.parse({
      format: 'ignition',
      files: [{ path, content: 'a' }],
      units: [{ name: 'app.service', ...unit }],
    });
    refuseFirstBoot(claimed, { provider: 'x', plan: { kind: 'scripted' } }, 'NodePool "a"', []);
  };
  expect(judge({ contentsFrom })).toThrow(/another path, since ignition writes this file$/);
  expect(judge({ contents: '[Service]\nExecStart=/bin/true\n' })).not.toThrow();
});
