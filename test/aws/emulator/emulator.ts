/** moto as AWS on a port of loopback, with the images that the Compositions name. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../e2e/binaries/find.ts';
import { freePorts } from '../../e2e/lab/ports.ts';
import type { Processes } from '../../e2e/lab/processes.ts';
import { until } from '../../e2e/lab/waiting.ts';
import { PYTHON } from '../parts.ts';

/** Files that name images. */
const NAMING = ['compositions/aws', 'examples/aws', 'examples/aws/edits', 'examples/platform'] as const;
const IMAGE = /ami-[0-9a-z]{17}/g;

/** @returns its port */
export async function startEmulator(processes: Processes, folder: string): Promise<number> {
  const { moto: port } = await freePorts('moto');
  const images = join(folder, 'images.json');
  writeFileSync(images, JSON.stringify(imageIds().map(imageOf)));
  processes.start({
    name: 'moto',
    program: PYTHON,
    args: [join(import.meta.dirname, 'aws.py'), '-H', '127.0.0.1', '-p', String(port)],
    // Its own assertions fail for what AWS accepts.
    env: { PYTHONOPTIMIZE: '1', PYTHONUNBUFFERED: '1', PYTHONDONTWRITEBYTECODE: '1', MOTO_AMIS_PATH: images },
  });
  await until('moto answers', { seconds: 300 }, async () => {
    const { status } = await fetch(`http://127.0.0.1:${port}/moto-api/`);
    return status === 200 ? { found: true } : { yet: `status ${status}` };
  });
  return port;
}

function imageIds(): readonly string[] {
  const files = NAMING.flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
  );
  return [...new Set(files.flatMap((text) => text.match(IMAGE) ?? []))].toSorted();
}

function imageOf(id: string) {
  return {
    ami_id: id,
    name: id,
    description: 'of the lab',
    owner_id: '123456789012',
    public: true,
    virtualization_type: 'hvm',
    architecture: 'x86_64',
    state: 'available',
    image_type: 'machine',
    hypervisor: 'xen',
    root_device_name: '/dev/sda1',
    root_device_type: 'ebs',
    creation_date: '2026-01-01T00:00:00.000Z',
  };
}
