import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { services } from "../../../../testing/services";
import { temporaryDirectory } from "../temporary-directory";
import { blocksOf } from "./page-blocks";

describe.skipIf(!services.nginx)("nginx", () => {
	it.each(blocksOf("nginx"))("accepts the configuration of %s", (_, { text }) => {
		const directory = temporaryDirectory();
		const file = join(directory, "nginx.conf");
		const server = /^server \{/m.test(text) ? text : `server {\nlisten 8080;\n${text}}\n`;
		// A port that needs no rights, and a host that exists.
		const http = server
			.replaceAll("listen 443", "listen 8443")
			.replaceAll("auth.example.com", "127.0.0.1");
		writeFileSync(
			file,
			`pid ${directory}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${http}}\n`,
		);
		const { stderr } = spawnSync(services.nginx ?? "", ["-t", "-p", directory, "-c", file], {
			encoding: "utf8",
		});
		expect(stderr).toContain("test is successful");
	});
});

it("finds the blocks", () => {
	expect(blocksOf("nginx").length).toBeGreaterThan(1);
});
