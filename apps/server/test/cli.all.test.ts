import { expect, test } from "vitest";
import { builtProgram } from "./built-program";
import { commandProcess } from "./cli-command";
import { loadedModules } from "./loaded-modules";
import { temporaryDirectory } from "./temporary-directory";

test("the built command reads a secret from standard input, and ends with an exit code", async () => {
	const settings = {
		DATA_DIR: temporaryDirectory(),
		BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more: 8dK2!x",
	};
	const run = (args: string[], input?: string) => commandProcess(settings, args, input);
	expect(await run(["migrate"])).toMatchObject({ code: 0, err: "" });
	expect((await run(["tenant", "create", "acme"])).code).toBe(0);
	const set = ["oauth-config", "set", "acme", "github", "--client-id", "the-client"];
	const registered = await run(set, "client-secret-that-nobody-sees\n");
	expect(registered).toMatchObject({
		code: 0,
		out: expect.stringContaining("/tenant/callback/github"),
	});
	expect(registered.out + registered.err).not.toContain("client-secret-that-nobody-sees");
	const rejected = await run(["tenant", "delete", "acme"]);
	expect([rejected.code, rejected.err]).toEqual([1, expect.stringContaining("--yes")]);
	expect((await run(["tenant", "destroy"])).code).toBe(2);
});

test("the built command prints its help and version without loading what commands work with", () => {
	for (const args of [["--help"], ["--version"]]) {
		expect(loadedModules(builtProgram("cli"), args)).toMatchObject({
			code: 0,
			packages: ["commander"],
		});
	}
	expect(loadedModules(builtProgram("cli"), ["migrate", "--dry-run"]).packages).toContain(
		"better-auth",
	);
});
