/** The code of one commit, called by judges: of this folder, or of another checkout of the repository. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { bootStub } from '#clouds/aws/machine/boot-stub.ts';
import type { fetchScript } from '#clouds/aws/machine/fetch-script.ts';
import type { Place } from '#clouds/aws/machine/place.ts';
import type { JsonObject } from '#lib/api/json.ts';

export interface Checkout {
  readonly boots: typeof import('../../support/first-boot.ts');
  readonly claims: typeof import('../../support/claims.ts');
  readonly requests: typeof import('../../support/request.ts');
  /** The step of a Cluster or Machine. */
  readonly bootstrap: typeof import('../../../functions/bootstrap/fn.ts').run;
  readonly machines: typeof import('../../../functions/machine/machine.fixture.ts');
  readonly stub: (place: Place) => string;
  readonly script: (place: Place) => string;
}

export const HERE = resolve(import.meta.dirname, '../../..');

/** @param root  folder of the checkout, with its node_modules */
export async function checkoutAt(root: string): Promise<Checkout> {
  const load = <Module>(path: string) =>
    import(/* @vite-ignore */ pathToFileURL(join(root, path)).href) as Promise<Module>;
  // Clouds were parts of the function once.
  const aws = ['clouds/aws/machine', 'functions/machine/aws'].find((path) => existsSync(join(root, path))) ?? '';
  const stubs = await load<{ readonly bootStub: typeof bootStub }>(`${aws}/boot-stub.ts`);
  const scripts = await load<{ readonly fetchScript: typeof fetchScript }>(`${aws}/fetch-script.ts`);
  return {
    boots: await load('test/support/first-boot.ts'),
    claims: await load('test/support/claims.ts'),
    requests: await load('test/support/request.ts'),
    bootstrap: (await load<{ readonly run: Checkout['bootstrap'] }>('functions/bootstrap/fn.ts')).run,
    machines: await load('functions/machine/machine.fixture.ts'),
    stub: (place) => Buffer.from(stubs.bootStub(place)).toString(),
    script: (place) => scripts.fetchScript(place),
  };
}

/** A machine whose first boot is judged. */
export interface Asked {
  /** A worker by default. */
  readonly kind?: 'init' | 'control-plane' | 'worker';
  /** kubeadm by default. */
  readonly provider?: string;
  /** Of Kubernetes. */
  readonly version?: string;
  /** `bootstrap.config` of Cluster and machine. */
  readonly config?: JsonObject;
  readonly provisioning?: JsonObject;
}

/** The first-boot data of such a machine. */
export async function dataOf({ boots }: Checkout, asked: Asked) {
  const { kind = 'worker', provider = 'kubeadm', version = 'v1.35.4', config = {}, provisioning = {} } = asked;
  const spec = { version, bootstrap: { provider, config } };
  const cluster = await boots.aBootstrappedCluster({ spec, initialized: kind !== 'init' });
  return boots.firstBoot(cluster, boots.machineOf(kind, { version, provisioning }, config, provider));
}
