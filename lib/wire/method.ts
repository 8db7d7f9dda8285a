/** The one method of a composition function. */

/** Its path, as Crossplane calls it: service apiextensions.fn.proto.v1.FunctionRunnerService. */
export const RUN_FUNCTION = '/apiextensions.fn.proto.v1.FunctionRunnerService/RunFunction';

/** gRPC metadata that carries the caller's time to a function started with `--clock request`. */
export const NOW_METADATA = 'slipway-now';
