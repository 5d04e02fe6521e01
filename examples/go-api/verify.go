package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"strings"
	"sync"

	"github.com/coreos/go-oidc/v3/oidc"
)

type Claims struct {
	Issuer   string `json:"iss"`
	Subject  string `json:"sub"`
	TenantID string `json:"tenant_id"`
}

var (
	issuers = regexp.MustCompile("^" + regexp.QuoteMeta(os.Getenv("AUTH_URL")) + "/t/[a-z0-9-]{2,63}$")
	// By issuer. A verifier caches the keys of its tenant.
	verifiers sync.Map
)

// verify returns the claims of a valid token of any tenant.
func verify(ctx context.Context, token string) (claims Claims, err error) {
	issuer, err := issuerOf(token)
	if err != nil {
		return claims, err
	}
	verifier := verifierOf(issuer)
	verified, err := verifier.Verify(ctx, token)
	if err != nil {
		return claims, err
	}
	// Only now: anybody can write the name of a tenant that does not exist into a token.
	verifiers.Store(issuer, verifier)
	if err := verified.Claims(&claims); err != nil {
		return claims, err
	}
	if claims.TenantID == "" {
		return claims, errors.New("the token is not of a tenant")
	}
	return claims, nil
}

// verifierOf returns the verifier of a tenant. Each tenant is an issuer with keys of its own.
func verifierOf(issuer string) *oidc.IDTokenVerifier {
	if verifier, found := verifiers.Load(issuer); found {
		return verifier.(*oidc.IDTokenVerifier)
	}
	// Not the context of a request: the keys are used after it.
	keys := oidc.NewRemoteKeySet(context.Background(), issuer+"/jwks")
	return oidc.NewVerifier(issuer, keys, &oidc.Config{
		ClientID:             os.Getenv("AUDIENCE"),
		SupportedSigningAlgs: []string{oidc.RS256},
	})
}

// issuerOf reads the issuer of a token that is not verified yet.
func issuerOf(token string) (string, error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return "", errors.New("this is not a token")
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return "", err
	}
	var claims Claims
	if err := json.Unmarshal(payload, &claims); err != nil {
		return "", err
	}
	// Before its keys are fetched: anybody can write any issuer into a token.
	if !issuers.MatchString(claims.Issuer) {
		return "", errors.New("the token is of another issuer")
	}
	return claims.Issuer, nil
}
