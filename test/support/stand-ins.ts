/** A folder on PATH with fake programs for those of a host: each logs its calls. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export interface Ran {
  readonly status: number | null;
  readonly stderr: string;
}

export class StandIns {
  readonly folder = mkdtempSync(join(tmpdir(), 'slipway-host-'));

  constructor() {
    mkdirSync(this.at('bin'));
  }

  at(...parts: readonly string[]): string {
    return join(this.folder, ...parts);
  }

  /** @param body  of a shell script; `$LOG` is the file for the calls of all programs */
  program(name: string, body: string): void {
    writeFileSync(this.at('bin', name), `#!/bin/sh\n${body}\n`);
    chmodSync(this.at('bin', name), 0o755);
  }

  /** Programs that only log their calls; a call that contains `$FAIL` fails with exit code 7. */
  programs(...names: readonly string[]): void {
    for (const name of names)
      this.program(
        name,
        `echo "${name} $*" >>"$LOG"\ncase "${name} $*" in *"$FAIL"*) [ -z "$FAIL" ] || exit 7 ;; esac`,
      );
  }

  /**
   * Runs a script.
   * @param path  instead of the folder of fake programs before PATH
   */
  run(text: string, env: Readonly<Record<string, string>> = {}, path?: string): Ran {
    writeFileSync(this.at('script.sh'), text);
    const { status, stderr } = spawnSync('/bin/sh', [this.at('script.sh')], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: path ?? [this.at('bin'), process.env['PATH']].join(delimiter),
        LOG: this.at('log'),
        FAIL: '',
        ...env,
      },
    });
    return { status, stderr };
  }

  /** Calls, in order. */
  get log(): readonly string[] {
    return existsSync(this.at('log')) ? readFileSync(this.at('log'), 'utf8').trimEnd().split('\n') : [];
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
