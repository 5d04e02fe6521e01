module example.com/go-api

go 1.21

require github.com/coreos/go-oidc/v3 v3.11.0
