/** The shape of every function of Slipway. */
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { World } from './world.ts';

/**
 * One pipeline step as a pure decision: the same request and world give the same reply, and the request is
 * never changed. What cannot be accepted is thrown as a SlipwayError; the shell turns it into a fatal result,
 * which stops the pipeline before anything that exists is touched.
 */
export type CompositionFunction = (request: Request, world: World) => Reply | Promise<Reply>;
