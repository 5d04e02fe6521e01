/** Whether a plugin in the app's list is ours. In JavaScript, a plugin may have no id. */
export const isOurPlugin = ({ id }: { id?: unknown }): boolean =>
	String(id).startsWith("tenant-auth");
