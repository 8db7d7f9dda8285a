// A function as they are written in Go with the SDK of Crossplane: it reads all it observes, desires all of it again
// without its status, and decides nothing.
package main

import (
	"context"
	"flag"

	"github.com/crossplane/function-sdk-go"
	v1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/crossplane/function-sdk-go/request"
	"github.com/crossplane/function-sdk-go/resource"
	"github.com/crossplane/function-sdk-go/response"
)

type standIn struct {
	v1.UnimplementedFunctionRunnerServiceServer
}

func (standIn) RunFunction(_ context.Context, req *v1.RunFunctionRequest) (*v1.RunFunctionResponse, error) {
	rsp := response.To(req, response.DefaultTTL)
	observed, err := request.GetObservedComposedResources(req)
	if err != nil {
		response.Fatal(rsp, err)
		return rsp, nil
	}
	if _, err = request.GetObservedCompositeResource(req); err != nil {
		response.Fatal(rsp, err)
		return rsp, nil
	}
	if _, err = request.GetRequiredResources(req); err != nil {
		response.Fatal(rsp, err)
		return rsp, nil
	}
	desired, err := request.GetDesiredComposedResources(req)
	if err != nil {
		response.Fatal(rsp, err)
		return rsp, nil
	}
	for name, one := range observed {
		again := resource.NewDesiredComposed()
		again.Resource.Object = one.Resource.DeepCopy().Object
		delete(again.Resource.Object, "status")
		if metadata, ok := again.Resource.Object["metadata"].(map[string]any); ok {
			delete(metadata, "managedFields")
		}
		again.Ready = resource.ReadyTrue
		desired[name] = again
	}
	if err := response.SetDesiredComposedResources(rsp, desired); err != nil {
		response.Fatal(rsp, err)
	}
	return rsp, nil
}

func main() {
	address := flag.String("address", "127.0.0.1:0", "where it listens")
	flag.Parse()
	err := function.Serve(standIn{}, function.Listen("tcp", *address), function.Insecure(true), function.MaxRecvMessageSize(64<<20))
	if err != nil {
		panic(err)
	}
}
