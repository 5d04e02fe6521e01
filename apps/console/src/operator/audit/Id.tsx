/** An id, of which the beginning tells enough: the whole is there to point at and to copy. */
export function Id({ children }: { children: string }) {
	return (
		<code className="id" title={children}>
			{children}
		</code>
	);
}
