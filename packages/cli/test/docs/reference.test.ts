import type { Command } from "commander";
import { expect, it } from "vitest";
import { page } from "../../../tenant-auth/test/docs/reference/markdown";
import { createProgram } from "../../src/program";

const helpOf = (command: Command) =>
	`\`\`\`text\n${command.configureHelp({ helpWidth: 100 }).helpInformation().trimEnd()}\n\`\`\``;

it("docs/reference/cli.md is as the commands say", async () => {
	const program = createProgram();
	const introduction =
		"The program `better-auth-tenant` is in the package `better-auth-tenant-cli`: install it with `npm install --save-dev better-auth-tenant-cli`, and run it with `npx` in the folder of your app. It loads your auth and works on its database.";
	const sections = program.commands.map((command) => `## ${command.name()}\n\n${helpOf(command)}`);
	await expect(
		page("Command line", introduction, [helpOf(program), ...sections]),
	).toMatchFileSnapshot("../../../../docs/reference/cli.md");
});
