import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { services } from "../../../../testing/services";
import { temporaryDirectory } from "../temporary-directory";
import { deployFile, readDeployFile } from "./deploy-files";
import { readWithDocker, readWithSystemd, systemdReader } from "./env-file-readers";

/** The unit, with a program that exists. */
function unitFile(): string {
	const directory = temporaryDirectory();
	const program = join(directory, "tenant-auth");
	writeFileSync(program, "#!/bin/sh\n");
	chmodSync(program, 0o755);
	const path = join(directory, "tenant-auth.service");
	const start = "/opt/tenant-auth/current/node_modules/.bin/tenant-auth";
	writeFileSync(path, readDeployFile("tenant-auth.service").replace(start, program));
	return path;
}

const analyze = (...args: string[]) =>
	spawnSync(String(services.systemd), args, { encoding: "utf8" });

describe.skipIf(!services.systemd)("systemd", () => {
	test.skipIf(!existsSync(systemdReader))("reads deploy/env.example as Docker does", () => {
		const directory = temporaryDirectory();
		mkdirSync(join(directory, "environment.d"));
		const conf = join(directory, "environment.d/auth.conf");
		writeFileSync(conf, readDeployFile("env.example"));
		const values = Object.entries(readWithDocker(deployFile("env.example")));
		// This program leaves out empty variables. To the server they are the same as missing ones.
		expect(readWithSystemd(directory)).toMatchObject(
			Object.fromEntries(values.filter(([, value]) => value !== "")),
		);

		// It would notice: systemd keeps what looks like a comment, and removes quotes.
		writeFileSync(conf, 'COMMENT=10.0.0.10 # nginx\nMAIL_FROM="Example <auth@example.com>"\n');
		expect(readWithSystemd(directory)).toMatchObject({
			COMMENT: "10.0.0.10 # nginx",
			MAIL_FROM: "Example <auth@example.com>",
		});
	});

	test("accepts the unit", () => {
		const { status, stdout, stderr } = analyze("verify", unitFile());
		expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
	});

	test("calls the unit well protected", () => {
		const { status, stderr } = analyze("security", "--offline=yes", "--threshold=20", unitFile());
		expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
	});
});
