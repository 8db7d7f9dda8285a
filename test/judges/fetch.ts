/**
 * Downloads the official validators of first-boot data into .cache/judges: kubeadm and Talos, built from their Go
 * modules; strict readers of the files of k3s, k0s and Canonical Kubernetes; nodeadm of EKS and the schema of its
 * NodeConfig; cloud-init of two Debian releases with the Python it needs, and a Debian to run it in; Ignition and
 * ignition-validate, each for both specifications; shellcheck; an evaluator of IAM policies; checkov. It reports what is not
 * available on this machine, and the tests that need it are skipped with the same message. Nothing is installed outside
 * the cache.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildDecoder, type Decoder, decoderFile, DECODERS } from './build-decoders.ts';
import { buildIgnition, ignitionFile, type Specification } from './build-ignition.ts';
import { buildKubeadm, KUBEADM_VERSIONS, kubeadmFile } from './build-kubeadm.ts';
import { buildOldIgnition, OLD_IGNITION } from './build-old-ignition.ts';
import { buildNodeadm, fetchNodeConfigCrd, NODE_CONFIG_CRD, NODEADM } from './build-nodeadm.ts';
import { buildTalos, TALOS_VERSIONS, talosFile } from './build-talos.ts';
import { CACHE, cached } from './cache.ts';
import { CHECKOV, makeCheckov } from './checkov.ts';
import { fetchPackage, IGNITION, makePython, makeRoot, PYTHON, ROOT } from './debian.ts';
import { CLOUDBASE_INIT, makeCloudbaseInit } from './cloudbase-init.ts';
import { CLOUD_INIT_RELEASES } from './cloud-init.ts';
import { fetchIamEvaluator, IAM_EVALUATOR } from './iam.ts';
import { isInstalled } from './run.ts';

interface Step {
  readonly name: string;
  /** Path in the cache afterwards. */
  readonly gives: readonly string[];
  readonly needs: readonly string[];
  /** Undefined when it worked, otherwise the reason. */
  readonly work: () => string | undefined;
}

const STEPS: readonly Step[] = [
  ...CLOUD_INIT_RELEASES.map((release): Step => ({
    name: `cloud-init of Debian ${release}`,
    gives: ['cloud-init', release],
    needs: ['apt-get', 'dpkg-deb'],
    work: () => fetchPackage('cloud-init', release, join(CACHE, 'cloud-init', release)),
  })),
  { name: 'Python packages of cloud-init', gives: PYTHON, needs: ['python3'], work: makePython },
  { name: 'cloudbase-init', gives: CLOUDBASE_INIT, needs: ['python3'], work: makeCloudbaseInit },
  {
    name: 'a Debian with cloud-init to run it in (a minute)',
    gives: ROOT,
    needs: ['apt-get', 'dpkg-deb', 'perl'],
    work: makeRoot,
  },
  {
    name: 'Ignition',
    gives: IGNITION,
    needs: ['apt-get', 'dpkg-deb'],
    work: () => fetchPackage('ignition', 'trixie', join(CACHE, 'ignition')),
  },
  {
    name: 'shellcheck',
    gives: ['shellcheck'],
    needs: ['apt-get', 'dpkg-deb'],
    work: () => fetchPackage('shellcheck', 'bookworm', join(CACHE, 'shellcheck')),
  },
  { name: 'an evaluator of IAM policies', gives: IAM_EVALUATOR, needs: ['npm'], work: fetchIamEvaluator },
  { name: 'checkov (a minute, the first time)', gives: CHECKOV, needs: ['python3'], work: makeCheckov },
  ...([3, 2] as const satisfies readonly Specification[]).map((specification): Step => ({
    name: `ignition-validate of specification ${specification}`,
    gives: ['bin', ignitionFile(specification)],
    needs: ['go'],
    work: () => buildIgnition(specification),
  })),
  {
    name: 'Ignition itself of specification 2 (a minute, the first time)',
    gives: OLD_IGNITION,
    needs: ['go', 'gcc', 'apt-get', 'dpkg-deb'],
    work: buildOldIgnition,
  },
  ...(Object.keys(DECODERS) as Decoder[]).map((name): Step => ({
    name: `a strict reader of files of ${name} (a minute, the first time)`,
    gives: ['bin', decoderFile(name)],
    needs: ['go'],
    work: () => buildDecoder(name),
  })),
  ...KUBEADM_VERSIONS.map((version): Step => ({
    name: `kubeadm ${version} (minutes, the first time)`,
    gives: ['bin', kubeadmFile(version)],
    needs: ['go'],
    work: () => buildKubeadm(version),
  })),
  ...Object.values(TALOS_VERSIONS).map((version): Step => ({
    name: `Talos' own validation, ${version} (minutes, the first time)`,
    gives: ['bin', talosFile(version)],
    needs: ['go'],
    work: () => buildTalos(version),
  })),
  { name: "nodeadm's CRD of NodeConfig", gives: NODE_CONFIG_CRD, needs: ['go'], work: fetchNodeConfigCrd },
  { name: 'nodeadm of EKS (minutes, the first time)', gives: NODEADM, needs: ['go'], work: buildNodeadm },
];

function take({ name, gives, needs, work }: Step): string {
  if ('path' in cached(...gives)) return 'there';
  const missing = needs.filter((command) => !isInstalled(command));
  if (missing.length > 0) return `not available: ${missing.join(' and ')} is not installed`;
  process.stdout.write(`${name} …\n`);
  const started = Date.now();
  const problem = work();
  if (problem === undefined) return `fetched in ${Math.round((Date.now() - started) / 1000)} s`;
  rmSync(join(CACHE, ...gives), { recursive: true, force: true }); // an incomplete validator is worse than none
  return `not available: ${problem.replaceAll(/\s+/g, ' ')}`;
}

mkdirSync(CACHE, { recursive: true });
for (const step of STEPS) process.stdout.write(`${step.name}: ${take(step)}\n`);
