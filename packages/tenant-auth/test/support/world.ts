import type { BetterAuthOptions } from "better-auth";
import { beforeAll, beforeEach } from "vitest";
import type { Instance } from "./instance";
import { isMemoryStorage } from "./memory-storage";
import { saveRows } from "./sqlite-rows";

interface World extends Pick<Instance, "database"> {
	options: Pick<BetterAuthOptions, "secondaryStorage">;
}

/**
 * Builds a world once for all tests of a block, and restores it before each of them: its rows, its
 * secondary storage, and the lists among its properties, such as sent emails.
 *
 * @example
 * const world = useWorld(() => makeTwoUsers());
 * it("…", async () => {
 * 	const { call, ada } = world();
 * });
 */
export function useWorld<W extends World>(build: () => Promise<W>): () => W {
	let world: W | undefined;
	let restore = () => {};
	beforeAll(async () => {
		world = await build();
		restore = saveWorld(world);
	});
	beforeEach(() => restore());
	return () => {
		if (!world) throw new Error("The world exists only while tests run");
		return world;
	};
}

/** Saves a world. The returned function restores it. */
export function saveWorld(world: World): () => void {
	const { secondaryStorage } = world.options;
	const restores = [saveRows(world), ...Object.values(world).filter(Array.isArray).map(saveList)];
	if (isMemoryStorage(secondaryStorage)) restores.push(secondaryStorage.save());
	return () => {
		for (const restore of restores) restore();
	};
}

function saveList(list: unknown[]): () => void {
	const saved = [...list];
	return () => {
		list.splice(0, list.length, ...saved);
	};
}
