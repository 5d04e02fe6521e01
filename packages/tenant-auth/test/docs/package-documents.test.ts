import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { withAddresses } from "../../../../scripts/package-addresses.mjs";
import { packageDocuments, project } from "../../../../scripts/package-documents.mjs";
import { notEmpty } from "../../../../testing/not-empty";
import { textOf } from "../../../../testing/pages";

const withoutCode = (text: string) => text.replaceAll(/^ *```.*?^ *```$/gms, "");

/** Links and images. */
const linksIn = (text: string) =>
	[...withoutCode(text).matchAll(/\]\((?<link>[^)\s]+)\)|<img src="(?<image>[^"{]+)"/g)].map(
		({ groups }) => groups?.link ?? groups?.image ?? "",
	);

/** Relative links that lead to no document of the package. */
function deadLinks(documents: Map<string, string>): string[] {
	return [...documents].flatMap(([path, text]) =>
		linksIn(text)
			.filter((link) => !/^(\w+:|#)/.test(link))
			.filter((link) => {
				const [file = ""] = link.split("#");
				return !documents.has(posix.join(posix.dirname(path), file));
			})
			.map((link) => `${path}: ${link}`),
	);
}

describe("the documents in the npm package", () => {
	const none = { homepage: "", repository: "" };
	const documents = packageDocuments(none);
	const readme = documents.get("README.md") ?? "";
	const headingsOf = (text: string) => [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);

	it("are the README without the section about the repository's server, and pages for users", () => {
		expect(headingsOf(readme)).toEqual(
			headingsOf(textOf("README.md")).filter((title) => title !== "Try it"),
		);
		expect([...documents.keys()]).toEqual(
			expect.arrayContaining(["docs/quick-start.md", "docs/reference/options.md"]),
		);
		expect(documents.has("docs/how-it-works.md")).toBe(false);
	});

	it("have links to documents of the package and to URLs only", () => {
		expect(linksIn(readme)).toContain("docs/quick-start.md");
		expect(linksIn(documents.get("docs/quick-start.md") ?? "")).toContain("which-tenant.md");
		expect(deadLinks(documents)).toEqual([]);
	});

	it("name a file that is not in the package by its path", () => {
		expect(readme).toContain("how it works (`docs/how-it-works.md`)");
	});

	it("have URLs once the project has an address", () => {
		const addresses = {
			homepage: "https://docs.example.com",
			repository: "https://git.example.com/project",
		};
		const addressed = packageDocuments(addresses);
		const links = linksIn(addressed.get("README.md") ?? "");
		expect(links).toContain("https://docs.example.com/quick-start");
		expect(links).toContain("https://docs.example.com/events#webhooks");
		expect(links).toContain("https://git.example.com/project/blob/HEAD/CONTRIBUTING.md");
		for (const link of notEmpty(links)) expect(link).toMatch(/^(https:|#)/);
		expect(linksIn(addressed.get("docs/quick-start.md") ?? "")).toContain("which-tenant.md");
		expect(deadLinks(addressed)).toEqual([]);
	});

	it("code stays as it is", () => {
		const blocksOf = (text = "") => text.match(/^```.*?^```$/gms);
		for (const [path, text] of notEmpty([...documents])) {
			if (path === "README.md") continue;
			expect(blocksOf(text), path).toEqual(blocksOf(textOf(path)));
		}
	});
});

describe("the manifest of a package", () => {
	const manifest = { name: "one", version: "1.0.0" };

	it("gets the addresses of the project", () => {
		const addresses = {
			homepage: "https://docs.example.com",
			repository: "https://git.example.com/p",
		};
		expect(withAddresses(manifest, "packages/one", addresses)).toEqual({
			...manifest,
			homepage: "https://docs.example.com",
			bugs: "https://git.example.com/p/issues",
			repository: {
				type: "git",
				url: "git+https://git.example.com/p.git",
				directory: "packages/one",
			},
		});
	});

	it("stays as it is without addresses", () => {
		expect(withAddresses(manifest, "packages/one", { homepage: "", repository: "" })).toEqual(
			manifest,
		);
	});

	it("can use the addresses in project.json", () => {
		for (const address of notEmpty(Object.values(project))) {
			expect(address).toMatch(/^$|^https:\/\/.*[^/]$/);
		}
	});
});
