import { serve } from '#lib/wire/serve.ts';
import { run } from './fn.ts';

void serve('function-machine', run);
