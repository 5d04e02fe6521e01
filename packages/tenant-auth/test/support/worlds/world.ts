import type { BetterAuthOptions } from "better-auth";
import { beforeAll, beforeEach } from "vitest";
import { isMemoryStorage } from "../databases/memory-storage";
import { saveRows } from "../databases/sqlite-rows";
import type { Instance } from "./instance";

interface World extends Pick<Instance, "database"> {
	options: Pick<BetterAuthOptions, "secondaryStorage">;
}

/**
 * Builds a world once for all tests of a block, and restores it before each of them: its rows, its
 * secondary storage, and the lists and maps among its properties, such as sent emails.
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
	const restores = [
		saveRows(world),
		...Object.values(world).filter(Array.isArray).map(saveList),
		...Object.values(world).filter(isMap).map(saveMap),
	];
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

const isMap = (value: unknown): value is Map<unknown, unknown> => value instanceof Map;

function saveMap(map: Map<unknown, unknown>): () => void {
	const saved = [...map];
	return () => {
		map.clear();
		for (const [key, value] of saved) map.set(key, value);
	};
}
