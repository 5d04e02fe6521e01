import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { formatCount } from "../../format";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/feedback";
import { useToast } from "../../ui/Toast";

export type BulkAction<Row> = {
	/** The text of the button, such as "Suspend". */
	label: string;
	/** What has happened afterwards, such as "suspended". */
	done: string;
	/** What the action does. */
	explanation: string;
	danger?: boolean;
	/** Whether the action changes anything for a row. */
	isFor?: (row: Row) => boolean;
	run: (row: Row) => Promise<unknown>;
	/** The keys of queries that have to load again. */
	invalidate: QueryKey[];
};

type BulkProps<Row> = {
	what: string;
	rows: Row[];
	rowName: (row: Row) => string;
	onClear: () => void;
};

export function BulkBar<Row>(props: BulkProps<Row> & { actions: BulkAction<Row>[] }) {
	const { what, rows, actions, onClear } = props;
	const [open, setOpen] = useState<BulkAction<Row> | null>(null);
	return (
		// biome-ignore lint/a11y/useSemanticElements: It is not a form.
		<div className="list-selection" role="group" aria-label={`Selected ${what}`}>
			<span role="status">{formatCount(rows.length)} selected</span>
			{actions.map((action) => (
				<Button
					key={action.label}
					size="small"
					unavailable={
						rows.some((row) => action.isFor?.(row) ?? true) ? null : `Not for any of these ${what}.`
					}
					onClick={() => setOpen(action)}
				>
					{action.label}
				</Button>
			))}
			<Button size="small" kind="quiet" onClick={onClear}>
				Clear selection
			</Button>
			{open && <BulkDialog {...props} action={open} onClose={() => setOpen(null)} />}
		</div>
	);
}

type Failure = { name: string; message: string };

type BulkDialogProps<Row> = BulkProps<Row> & { action: BulkAction<Row>; onClose: () => void };

/** Calls the service for one row after the other. A row that fails does not stop the others. */
function BulkDialog<Row>(props: BulkDialogProps<Row>) {
	const { what, rows, rowName, action, onClear, onClose } = props;
	// The rows change when the list loads again.
	const [targets] = useState(() => rows.filter((row) => action.isFor?.(row) ?? true));
	const [finished, setFinished] = useState<number | null>(null);
	const [failures, setFailures] = useState<Failure[]>([]);
	const queryClient = useQueryClient();
	const toast = useToast();
	const count = formatCount(targets.length);
	const isRunning = finished !== null && finished < targets.length;

	const run = async () => {
		const failed: Failure[] = [];
		for (const [index, row] of targets.entries()) {
			setFinished(index);
			try {
				await action.run(row);
			} catch (error) {
				failed.push({ name: rowName(row), message: (error as Error).message });
			}
		}
		await Promise.all(
			action.invalidate.map((queryKey) => queryClient.invalidateQueries({ queryKey })),
		);
		setFinished(targets.length);
		setFailures(failed);
		if (failed.length > 0) return;
		toast(`${count} ${what} ${action.done}.`);
		onClose();
		onClear();
	};
	return (
		<Dialog
			title={`${action.label}: ${count} ${what}`}
			open
			onClose={() => !isRunning && onClose()}
		>
			<p>{action.explanation}</p>
			<ul className="bulk-names small muted">
				{targets.slice(0, 5).map((row) => (
					<li key={rowName(row)} className="break">
						{rowName(row)}
					</li>
				))}
				{targets.length > 5 && <li>and {formatCount(targets.length - 5)} more</li>}
			</ul>
			{isRunning && (
				<progress
					value={finished}
					max={targets.length}
					aria-label={`${formatCount(finished)} of ${count}`}
				/>
			)}
			{failures.length > 0 && (
				<Notice kind="danger">
					<p>
						{formatCount(targets.length - failures.length)} of {count} {action.done}. These failed:
					</p>
					<ul>
						{failures.map(({ name, message }) => (
							<li key={name}>
								{name}: {message}
							</li>
						))}
					</ul>
				</Notice>
			)}
			<footer className="dialog-foot">
				<Button unavailable={isRunning ? "Wait until it is done." : null} onClick={onClose}>
					{failures.length > 0 ? "Close" : "Cancel"}
				</Button>
				{failures.length === 0 && (
					<Button
						kind={action.danger ? "danger" : "primary"}
						busy={isRunning}
						onClick={() => void run()}
					>
						{action.label}
					</Button>
				)}
			</footer>
		</Dialog>
	);
}
