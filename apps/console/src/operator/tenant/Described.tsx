type DescribedProps = { title: string; children: string; error?: Error | null };

export function Described({ title, children, error }: DescribedProps) {
	return (
		<div className="grow">
			<h3>{title}</h3>
			<p className="muted small">{children}</p>
			{error && (
				<p className="field-error" role="alert">
					{error.message}
				</p>
			)}
		</div>
	);
}
