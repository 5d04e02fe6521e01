import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { FEATURE_FOLDERS } from "../../support/worlds/features";
import { code, page } from "./markdown";

const OPTIONS = new URL("../../../src/tenant-auth-options.ts", import.meta.url);
const FEATURES = FEATURE_FOLDERS.map((folder) => {
	const file = (name: string) =>
		new URL(`../../../src/features/${folder}/${name}.ts`, import.meta.url);
	return existsSync(file("options")) ? file("options") : file("plugin");
});

export function optionsPage(): string {
	const options = interfacesOf(OPTIONS);
	const [main, ...parts] = options;
	const sections = [
		"## tenantAuth()",
		...(main?.members ?? []).flatMap(describeMember),
		...parts
			.filter(({ name }) => name.endsWith("Options"))
			.flatMap(({ name, members }) => [`## ${name}`, ...members.flatMap(describeMember)]),
		...FEATURES.flatMap(interfacesOf)
			.filter(({ name }) => name.endsWith("Options"))
			.flatMap(({ name, members }) => [
				`## ${name.replace(/^T(.*)Options$/, "t$1")}()`,
				...members.flatMap(describeMember),
			]),
	];
	const introduction =
		"`tenantAuth()` works without any option. A wrong option stops the start. [Client](client.md) has those of `tenantAuthClient()`.";
	return page("Options", introduction, sections);
}

interface Member {
	name: string;
	type: string;
	text: string;
	tags: { name: string; text: string }[];
}

export const parse = (url: URL) =>
	ts.createSourceFile(fileURLToPath(url), readFileSync(url, "utf8"), ts.ScriptTarget.Latest, true);

export function interfacesOf(url: URL): { name: string; members: Member[] }[] {
	const source = parse(url);
	return source.statements.filter(ts.isInterfaceDeclaration).map(({ name, members }) => ({
		name: name.text,
		members: members.filter(ts.isPropertySignature).map((member) => memberOf(member, source)),
	}));
}

function memberOf(member: ts.PropertySignature, source: ts.SourceFile): Member {
	const [doc] = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc);
	return {
		name: member.name.getText(source),
		type: (member.type?.getText(source) ?? "").replaceAll(/\s+/g, " ").replaceAll("( ", "("),
		text: ts.getTextOfJSDocComment(doc?.comment) ?? "",
		tags: (doc?.tags ?? []).map((tag) => ({
			name: tag.tagName.text,
			text: ts.getTextOfJSDocComment(tag.comment) ?? "",
		})),
	};
}

export function describeMember({ name, type, text, tags }: Member): string[] {
	const find = (wanted: string) => tags.find((tag) => tag.name === wanted)?.text;
	const fallback = find("default");
	const example = find("example");
	return [
		`### ${name}`,
		paragraphsOf(text),
		[`- type: ${code(type)}`, ...(fallback ? [`- default: ${asDefault(fallback)}`] : [])].join(
			"\n",
		),
		...(example ? [example] : []),
	].filter(Boolean);
}

/** Lines of a comment are wrapped. Lists and blocks of code stay. */
export const paragraphsOf = (text: string) =>
	withoutLinks(text.replaceAll(/(?<!\n)\n(?![\n-])\s*/g, " "));

/** A value is code; a sentence is not. */
const asDefault = (text: string) =>
	/^[\d_"[\]{}]|^(true|false|[A-Z_]+)\b(?! )/.test(text) ? code(text) : text;

const withoutLinks = (text: string) => text.replaceAll(/\{@link (\S+?)\}/g, "`$1`");
