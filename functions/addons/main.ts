import { serve } from '#lib/wire/serve.ts';
import { run } from './fn.ts';

await serve('function-addons', run);
