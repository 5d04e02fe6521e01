import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { CheckIcon, MoreIcon } from "./icons";
import { Popover } from "./Popover";

export type MenuItem = {
	label: string;
	onSelect: () => void;
	icon?: ReactNode;
	/** For an action that is hard to undo. */
	danger?: boolean;
	/** Why it cannot be chosen now. */
	unavailable?: string | null;
	/** Makes it a choice that stays open. */
	checked?: boolean;
};

type MenuProps = {
	/** The name of the button. */
	label: string;
	items: MenuItem[];
	/** The content of the button. @default three dots */
	button?: ReactNode;
	className?: string;
};

export function Menu({ label, items, button = <MoreIcon />, className }: MenuProps) {
	return (
		<Popover
			button={button}
			label={label}
			className={className ?? "icon-button"}
			kind="menu"
			align="end"
		>
			{(close) => <Items label={label} items={items} close={close} />}
		</Popover>
	);
}

type ItemsProps = { label: string; items: MenuItem[]; close: () => void };

function Items({ label, items, close }: ItemsProps) {
	const id = useId();
	const list = useRef<HTMLDivElement>(null);
	const choices = () => [...(list.current?.querySelectorAll<HTMLElement>("[role]") ?? [])];
	// biome-ignore lint/correctness/useExhaustiveDependencies: Only when the menu opens.
	useEffect(() => choices()[0]?.focus(), []);

	const onKeyDown = (event: KeyboardEvent) => {
		if (event.key === "Tab") return close();
		const all = choices();
		const index = all.indexOf(document.activeElement as HTMLElement);
		const next = nextIndex(event.key, index, all.length);
		if (next === null) return;
		event.preventDefault();
		all[next]?.focus();
	};
	return (
		<div ref={list} role="menu" aria-label={label} className="menu" onKeyDown={onKeyDown}>
			{items.map(({ label: text, onSelect, icon, danger, unavailable = null, checked }, index) => (
				// biome-ignore lint/a11y/useAriaPropsSupportedByRole: Only a checkbox has a state.
				<button
					key={text}
					type="button"
					role={checked === undefined ? "menuitem" : "menuitemcheckbox"}
					aria-checked={checked}
					className={`menu-item ${danger ? "menu-danger" : ""}`}
					aria-disabled={unavailable !== null || undefined}
					aria-label={text}
					aria-describedby={unavailable === null ? undefined : `${id}-${index}`}
					tabIndex={-1}
					onClick={() => {
						if (unavailable !== null) return;
						if (checked === undefined) close();
						onSelect();
					}}
				>
					{checked === undefined ? (
						icon
					) : (
						<span className="menu-check">{checked && <CheckIcon />}</span>
					)}
					<span>
						{text}
						{unavailable !== null && (
							<span id={`${id}-${index}`} className="menu-reason small">
								{unavailable}
							</span>
						)}
					</span>
				</button>
			))}
		</div>
	);
}

/** Where an arrow key, Home or End leads. `null` for any other key. */
export function nextIndex(key: string, index: number, count: number): number | null {
	if (count === 0) return null;
	if (key === "ArrowDown") return (index + 1) % count;
	if (key === "ArrowUp") return (index <= 0 ? count : index) - 1;
	if (key === "Home") return 0;
	if (key === "End") return count - 1;
	return null;
}
