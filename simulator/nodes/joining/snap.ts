/** What the scripts of a snap contain about a node. */
import { BootFailure } from '../first-boot/boot-failure.ts';
import type { FirstBoot } from '../first-boot/format.ts';
import type { JoinPlan } from './plan.ts';

export function snapNode(boot: FirstBoot): Pick<JoinPlan, 'nodeName' | 'labels' | 'version'> {
  const script = scriptsOf(boot);
  const labels = / label node \S+ --overwrite (.*)$/m.exec(script)?.[1] ?? '';
  const pairs = labels
    .split(' ')
    .filter((label) => label !== '')
    .map((label) => label.replaceAll("'", '').split('=', 2));
  return {
    nodeName: undefined,
    labels: Object.fromEntries(pairs.map(([key = '', value = '']) => [key, value])),
    // The version in the channel of its minor version, when the machine was planned.
    version: /\bfor Kubernetes (v1\.[0-9]+\.[0-9]+)/.exec(script)?.[1],
  };
}

export function scriptsOf({ files }: FirstBoot): string {
  return files
    .map(({ content }) => content)
    .filter((content) => content.startsWith('#!'))
    .join('\n');
}

export function fileAt({ files }: FirstBoot, path: string): string {
  const content = files.find((file) => file.path === path)?.content;
  if (content === undefined) throw new BootFailure(`snap: ${path} is not among the files`);
  return content;
}
