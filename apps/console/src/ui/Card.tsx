import { type ReactNode, useId } from "react";

type CardProps = {
	title?: ReactNode;
	hint?: ReactNode;
	/** Beside the title. */
	actions?: ReactNode;
	children?: ReactNode;
};

export function Card({ title, hint, actions, children }: CardProps) {
	const id = useId();
	return (
		<section className="card" aria-labelledby={title ? id : undefined}>
			{(title || actions) && (
				<header className="card-head">
					<div>
						{title && <h2 id={id}>{title}</h2>}
						{hint && <p className="muted small">{hint}</p>}
					</div>
					{actions && <div className="row">{actions}</div>}
				</header>
			)}
			{children}
		</section>
	);
}
