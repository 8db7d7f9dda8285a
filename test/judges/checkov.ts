/** Checkov, a scanner of infrastructure: what its rules for AWS say of what is composed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeObject } from '#lib/api/json.ts';
import { CACHE, cached, type Found } from './cache.ts';
import { runCommand } from './run.ts';
import { terraformOf } from './terraform.ts';

const VERSION = '3.3.30';

/** Path in the cache. */
export const CHECKOV = ['checkov', 'bin', 'checkov'] as const;

/** Undefined when it is there, otherwise the reason. */
export function makeCheckov(): string | undefined {
  const folder = join(CACHE, 'checkov');
  const made = runCommand('python3', ['-m', 'venv', folder]);
  if (!made.ok) return made.output.slice(-300);
  const installed = runCommand(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', '-q', `checkov==${VERSION}`]);
  return installed.ok ? undefined : installed.output.slice(-300);
}

export function checkov(): Found {
  return cached(...CHECKOV);
}

export interface Finding {
  /** Such as CKV_AWS_130. */
  readonly check: string;
  readonly title: string;
  /** Such as aws_subnet.prod-subnet-public-eu-west-1a. */
  readonly resource: string;
}

interface Scanned {
  readonly passed: number;
  readonly findings: readonly Finding[];
}

/** Scans the resources together, without network. Throws when checkov cannot run. */
export function scanned(program: string, objects: readonly KubeObject[]): Scanned {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-checkov-'));
  try {
    writeFileSync(join(folder, 'main.tf.json'), terraformOf(objects));
    const args = ['--directory', folder, '--framework', 'terraform_json', '--compact', '--quiet', '--output', 'json'];
    const { output } = runCommand(program, [...args, '--soft-fail', '--skip-download'], {
      env: { LOG_LEVEL: 'ERROR', PYTHONWARNINGS: 'ignore' },
    });
    const report = JSON.parse(output.slice(output.indexOf('{'))) as {
      readonly summary: { readonly passed: number; readonly parsing_errors: number };
      readonly results: {
        readonly failed_checks: readonly { check_id: string; check_name: string; resource: string }[];
      };
    };
    if (report.summary.parsing_errors > 0) throw new Error(`checkov could not read ${folder}: ${output}`);
    const findings = report.results.failed_checks.map(({ check_id, check_name, resource }) => ({
      check: check_id,
      title: check_name,
      resource,
    }));
    return { passed: report.summary.passed, findings };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
