type Action = (...args: never[]) => Promise<void>;

/**
 * The action of a command. What it imports is loaded when the command runs, so that `--help` and `--version`
 * load nothing.
 */
export const lazily =
	<Name extends string, Module extends Record<Name, Action>>(
		load: () => Promise<Module>,
		name: Name,
	) =>
	async (...args: Parameters<Module[Name]>): Promise<void> => {
		const { [name]: run } = await load();
		await run(...args);
	};
