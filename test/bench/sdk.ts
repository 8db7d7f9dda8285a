/** A function with the SDK of Crossplane for TypeScript, as the one in Go: it reads all, desires all, decides nothing. */
import { Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';
import {
  FunctionRunnerServiceService,
  Ready,
  type Resource,
  type RunFunctionRequest,
  RunFunctionResponse,
} from '@crossplane-org/function-sdk-typescript';

const MOST = 64 * 1024 * 1024;
const server = new Server({ 'grpc.max_receive_message_length': MOST, 'grpc.max_send_message_length': MOST });

function again({ resource }: Resource): object {
  const { status: _status, metadata, ...rest } = structuredClone(resource) ?? {};
  const { managedFields: _fields, ...kept } = (metadata ?? {}) as Record<string, unknown>;
  return { resource: { ...rest, metadata: kept }, ready: Ready.READY_TRUE };
}

server.addService(FunctionRunnerServiceService, {
  runFunction: (
    { request }: ServerUnaryCall<RunFunctionRequest, RunFunctionResponse>,
    done: sendUnaryData<RunFunctionResponse>,
  ) => {
    const observed = Object.entries(request.observed?.resources ?? {}).map(([key, one]) => [key, again(one)]);
    const desired = {
      ...request.desired,
      resources: { ...request.desired?.resources, ...(Object.fromEntries(observed) as Record<string, Resource>) },
    };
    const meta = { tag: request.meta?.tag ?? '', ttl: { seconds: 60, nanos: 0 } };
    done(null, RunFunctionResponse.fromPartial({ meta, desired, context: request.context ?? {} }));
  },
});

server.bindAsync(process.argv[2] ?? '', ServerCredentials.createInsecure(), () => {});
