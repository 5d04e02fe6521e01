import type { SchemaGeneratorResult } from "auth/api";
import type { BetterAuthOptions, DBAdapterInstance } from "better-auth";

/** What Better Auth's command line writes for a host's options: a Drizzle or a Prisma schema. */
export async function generateSchema(
	adapter: DBAdapterInstance,
	options: BetterAuthOptions,
): Promise<string> {
	provideGroupBy();
	const { generateSchema } = await import("auth/api");
	// A file that is not there: it would be added to.
	const file = `./schema-of-nobody-${process.pid}.prisma`;
	const result: SchemaGeneratorResult = await generateSchema({
		adapter: adapter(options),
		options,
		file,
	});
	if (!result.code) throw new Error("the generator wrote nothing");
	return result.code;
}

/** The command line is for newer versions of Node than we support, for this alone. */
function provideGroupBy(): void {
	if ("groupBy" in Object) return;
	Object.assign(Object, {
		groupBy<Item>(items: Iterable<Item>, keyOf: (item: Item, index: number) => string) {
			const groups: Record<string, Item[]> = Object.create(null);
			let index = 0;
			for (const item of items) {
				const key = keyOf(item, index++);
				groups[key] ??= [];
				groups[key].push(item);
			}
			return groups;
		},
	});
}
