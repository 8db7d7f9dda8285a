import { expect, it } from 'vitest';
import { UPDATER_IMAGE } from '../../controllers/node/updates/image.ts';
import { updaterImage } from './updater-image.ts';

it('has the digest that provider-node asks for, under any name', async () => {
  const [, pinned] = UPDATER_IMAGE.split('@');
  expect((await updaterImage()).digest).toBe(pinned);
  expect((await updaterImage('images.example.com/node-updater:e2e')).digest).toBe(pinned);
});

it('has no program, so that nothing of it runs on a host', async () => {
  const { tar } = await updaterImage();
  expect(tar.length).toBeLessThan(32 * 1024);
});
