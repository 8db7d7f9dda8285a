/** The lab of test/e2e with the real provider-aws and an emulated AWS in place of the simulated cloud. */
import type { KubeObject } from '#lib/api/json.ts';
import type { Binaries } from '../../e2e/binaries/find.ts';
import { installCase } from '../../e2e/cases/install.ts';
import { TEAM } from '../../e2e/cases/scene.ts';
import { INSTALL, settingsOf } from '../../e2e/cases/documented.ts';
import { type Lab, SPEEDUP, startLab } from '../../e2e/lab/lab.ts';
import type { Processes } from '../../e2e/lab/processes.ts';
import { AWS_SERVICES, family } from '../../e2e/packages/providers.ts';
import { Aws } from '../cloud/aws.ts';
import { Proxy } from '../cloud/proxy.ts';
import { startEmulator } from '../emulator/emulator.ts';
import { Machines } from '../machines/machines.ts';
import { MENDED_AS, PROVIDER } from '../parts.ts';
import { type Provider, startProvider } from '../provider/process.ts';

export interface AwsLab extends Lab {
  readonly aws: Aws;
  readonly proxy: Proxy;
  readonly provider: Provider;
  readonly machines: Machines;
}

/** Installed as the version whose mending it has: packages want no earlier one. */
const FAMILY = { cloud: 'aws', version: MENDED_AS, folder: PROVIDER.crds } as const;

export async function startAwsLab(
  binaries: Binaries,
  processes: Processes,
  folder: string,
  log: (line: string) => void,
): Promise<AwsLab> {
  const lab = await startLab(binaries, processes, folder, log, {
    platform: undefined,
    recording: undefined,
    clouds: [],
    providers: family(FAMILY, AWS_SERVICES),
  });
  try {
    return await withAws(lab, processes, log);
  } catch (thrown) {
    await lab.stop(); // its packages are started again until then
    throw thrown;
  }
}

async function withAws(lab: Lab, processes: Processes, log: (line: string) => void): Promise<AwsLab> {
  await lab.crossplane.restartCore(settingsOf(INSTALL));
  const port = await startEmulator(processes, lab.folder);
  const aws = new Aws(`http://127.0.0.1:${port}`);
  const proxy = await Proxy.listening(port);
  log(await installCase.run(lab, log));
  await lab.api.patch(CONFIG, { spec: emulated(proxy.url) });
  const provider = await startProvider(lab.kubernetes, lab.binaries.kubectl, processes);
  log('provider-aws answers');
  const machines = new Machines({ aws, workloads: lab.workloads, speedup: SPEEDUP, log });
  return {
    ...lab,
    aws,
    proxy,
    provider,
    machines,
    async stop() {
      await machines.stop();
      proxy.stop();
      await lab.stop();
    },
  };
}

const CONFIG = { apiVersion: 'aws.m.upbound.io/v1beta1', kind: 'ProviderConfig', namespace: TEAM, name: 'default' };
const SERVICES = ['ec2', 'elb', 'elbv2', 'iam', 'kms', 'logs', 's3', 'secretsmanager', 'ssm', 'sts'] as const;

/** Where a ProviderConfig finds AWS. */
function emulated(url: string): KubeObject['spec'] {
  return {
    endpoint: {
      hostnameImmutable: true,
      source: 'Custom',
      services: [...SERVICES],
      url: { type: 'Static', static: url },
    },
    skip_metadata_api_check: true,
    skip_region_validation: true,
    s3_use_path_style: true,
  };
}
