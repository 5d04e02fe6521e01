import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { services } from "../../../testing/services";
import { textOfDocument } from "./documented-app";
import { machineToken, runningIssuers } from "./running-issuers";
import { temporaryDirectory } from "./temporary-directory";

/** Not synchronously: the server runs in this process. */
async function run(program: string, args: string[], env: Record<string, string>) {
	const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "ignore"] });
	let out = "";
	child.stdout.on("data", (chunk) => {
		out += chunk;
	});
	const [code] = await once(child, "close");
	return { code, out };
}

/** A program that prints what the snippet finds in a token. */
const goProgram = `package main

import (
	"context"
	"fmt"
	"os"
)

func main() {
	ctx := context.Background()
	verifier, err := NewVerifier(ctx)
	if err == nil {
		var claims Claims
		claims, err = Verify(ctx, verifier, os.Args[1])
		fmt.Print(claims.TenantID)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`;

it.skipIf(!services.go)("verify.go accepts a token of the tenant, and nothing else", async () => {
	const issuers = await runningIssuers(onTestFinished);
	const acme = await issuers.newTenant("acme");
	const globex = await issuers.newTenant("globex");
	// Debian has go-oidc 2, whose functions that the page uses are the same, outside of modules.
	const directory = join(temporaryDirectory(), "src/verify");
	mkdirSync(directory, { recursive: true });
	const text = textOfDocument("verify.go").replace("go-oidc/v3/oidc", "go-oidc");
	writeFileSync(join(directory, "verify.go"), text);
	writeFileSync(join(directory, "main.go"), goProgram);
	const { PATH, HOME } = process.env;
	const environment = { PATH, HOME, GO111MODULE: "off", GOPATH: "/usr/share/gocode" };
	const program = join(directory, "program");
	const built = spawnSync(services.go as string, ["build", "-o", program, "."], {
		cwd: directory,
		env: environment,
		encoding: "utf8",
	});
	expect(built.stderr).toBe("");
	const verify = (token: string) => run(program, [token], { ISSUER: acme.issuer });
	expect(await verify(await machineToken(issuers, acme))).toEqual({ code: 0, out: acme.tenantId });
	expect((await verify(await machineToken(issuers, globex))).code).toBe(1);
	expect((await verify("x")).code).toBe(1);
});
