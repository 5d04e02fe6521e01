// An API that verifies access tokens of the service. Each tenant has its own notes.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
)

var (
	// By tenant. In production, this is a database.
	notes = map[string][]string{}
	lock  sync.Mutex
)

func main() {
	http.HandleFunc("/notes", serveNotes)
	listener, err := net.Listen("tcp", "localhost:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Listening on", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}

func serveNotes(w http.ResponseWriter, r *http.Request) {
	claims, err := verify(r.Context(), tokenOf(r))
	if err != nil {
		w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		answer(w, http.StatusUnauthorized, map[string]string{"error": "invalid_token"})
		return
	}
	// The tenant whose data the caller may see.
	tenant := claims.TenantID
	switch r.Method {
	case http.MethodGet:
		lock.Lock()
		defer lock.Unlock()
		answer(w, http.StatusOK, append([]string{}, notes[tenant]...))
	case http.MethodPost:
		text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 10_000))
		if err != nil {
			answer(w, http.StatusRequestEntityTooLarge, map[string]string{"error": "too_long"})
			return
		}
		lock.Lock()
		defer lock.Unlock()
		notes[tenant] = append(notes[tenant], string(text))
		answer(w, http.StatusCreated, string(text))
	default:
		answer(w, http.StatusMethodNotAllowed, map[string]string{"error": "method_not_allowed"})
	}
}

func tokenOf(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return token
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}
