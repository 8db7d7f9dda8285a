import { serve } from '#lib/fn/serve.ts';
import { run } from './fn.ts';

await serve('function-bootstrap', run);
