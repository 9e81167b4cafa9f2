export type { ErrorReport } from './output/report-error.ts'
export type { ReportedOutput, ReportedSession, RunReport } from './run/run-report.ts'
export type { PhaseTimings } from './run/timings.ts'
