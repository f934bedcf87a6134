/**
 * @file supervisor_lines.h
 * Defines the lines between nereus-supervise and the processes of its job. Every client connects to
 * one listening socket (NEREUS_LAUNCHER); the client's first line is TOKEN, a request and its
 * words. A line's first word is one letter, whose meaning depends on the kind of the connection.
 */
#pragma once

#include "model/util/base.h"

/** The letter as a word. */
#define NEREUS_LETTER(letter) ((const char[]){(char)(letter), '\0'})

/** Sizes of sentences, with the final 0. */
enum {
    /* how a process has ended (guard.c): its program (120) and host (64), a hint about /dev/shm
     * (240), and words */
    NEREUS_LOSS_SENTENCE_MAX = 560,
    /* why the job ends: such a loss and part of the one before it (job_end.c), or the processes
     * that wait for others (watchdog.c) */
    NEREUS_END_SENTENCE_MAX = 900
};

/** The first line of a client. */
enum supervisor_request {
    /* ID PROCESSES SECONDS HOSTS: MPI_Comm_spawn begins; the client closes the connection when it
     * has returned (pending_spawns.h). Answer: ANSWER_TAKEN */
    REQUEST_SPAWN = 'N',
    /* NAME, followed by a line of words: a start record to store. Answer: ANSWER_TAKEN */
    REQUEST_PUT_RECORD = 'B',
    REQUEST_GET_RECORD = 'T', /* NAME. Answer: the words of the record */
    /* The command given to nereus-mpiexec for the first process. Answer: FOLDER WORD... */
    REQUEST_COMMAND = 'C',
    /* The initial world leaves the job: its status is ignored from now on */
    REQUEST_INITIAL_WORLD_LEAVES = 'V',
    /* PATH new|read HOST PID, from rank 0: this checkpoint is complete; it was just written, or
     * read */
    REQUEST_CHECKPOINTED = 'K',
    /* LOST SENTENCE, from rank 0: the job has recovered by itself from the loss of so many
     * processes */
    REQUEST_RECOVERED = 'Y',
    /* Rank 0 waits for ANSWER_CHECKPOINT_WANTED: Slurm's time limit is near */
    REQUEST_AWAIT_WARNING = 'S',
    /* PROCESSES PATH [HOSTS]: when all processes have ended with 0, start this number of processes
     * from this checkpoint (attempt.h). HOSTS may be NEREUS_HOSTS_OF_SLURM. Answer: ANSWER_TAKEN,
     * or ANSWER_FAILED SENTENCE */
    REQUEST_RESTART = 'R',
    REQUEST_END_JOB = 'D', /* SENTENCE [P]: the job hangs; P: because of an error of the program */
    REQUEST_ABORTED = 'A', /* STATUS SENTENCE: the program has called MPI_Abort with this status */
    /* HOST PID TEXT: progress record of a process that has waited in the same call for long;
     * without TEXT: remove it */
    REQUEST_PUT_PROGRESS = 'W',
    REQUEST_GET_PROGRESS = 'P', /* HOST PID. Answer: ages and texts of the other hosts' records */
    REQUEST_LAUNCHES = 'O',     /* SESSION: orders of the root of a reconfiguration follow */
    /* SESSION PID HOST GROUP: opens the lifeline of a launched process */
    REQUEST_GUARDS_LAUNCHED = 'G',
    /* ID PID HOST: guard of a process of REQUEST_SPAWN, at PHASE_START */
    REQUEST_GUARDS_SPAWNED = 'H',
    REQUEST_GUARDS_INITIAL = 'I' /* RANK PID HOST: guard of an initial process */
};

/** A line of the root of a reconfiguration. */
enum launch_order {
    /* GROUP PROCESSES HOST LAUNCHER WORD...: launch this group. Answer: ANSWER_STARTED GROUP */
    ORDER_LAUNCH = 'L',
    /* GROUP SECONDS: the job connects to the group, with this time limit. Answer: ANSWER_TAKEN
     * GROUP */
    ORDER_CONNECTS = 'C',
    /* GROUP: connected, not committed: a death is reported (ANSWER_FAILED); then the job must
     * release the group within a time limit, or it is ended */
    ORDER_CONNECTED = 'M',
    ORDER_OVERLAPPED =
        /* GROUP SECONDS: as ORDER_CONNECTED while the application runs, with this limit */
    'I',
    ORDER_JOINED = 'J', /* GROUP: from now on a death ends the job */
    ORDER_END = 'X',    /* GROUP */
    /* a connection that closes without this order means that the root has died */
    ORDER_NO_MORE = 'Q'
};

/** A line of nereus-supervise. */
enum supervisor_answer {
    ANSWER_TAKEN = 'A',
    ANSWER_FAILED = 'E',           /* [GROUP] SENTENCE */
    ANSWER_STARTED = 'S',          /* GROUP */
    ANSWER_STARTABLE = 'Y',        /* GROUP: its program can be started */
    ANSWER_CHECKPOINT_WANTED = 'C' /* rank 0 writes a checkpoint at the next point */
};

/** A line of a guard: KIND NUMBER SENTENCE. To a report of the end of an initial or spawned process
 * nereus-supervise answers by closing the connection. */
enum report_kind {
    /* PHASE: an initial or spawned process has entered this phase (process_phase.h). If the
     * connection of a spawned process closes at PHASE_START or PHASE_JOB, the process was lost */
    REPORT_PHASE = 'L',
    /* a launched process has left or finished the job: the connection may close */
    REPORT_LEFT = 'B',
    REPORT_STARTABLE = 'Y', /* the guard of a launched process only had to check its program */
    /* STATUS: the program cannot be started, or never reached MPI; nereus-guard-join replaces a
     * spawned one */
    REPORT_NOT_STARTED = 'F',
    /* STATUS: end of a launched or spawned process by a signal (128 + N); for a launched process
     * with a hint at the cause; it is a loss if its group has joined */
    REPORT_SIGNALLED = 'K',
    REPORT_EXITED = 'S', /* STATUS: end of such a process with an exit status */
    REPORT_LOST = 'Z',   /* STATUS: end of a spawned process that the job needs: the job is ended */
    REPORT_INITIAL_ENDED = 'E', /* STATUS: end of an initial process */
    REPORT_PROXY_ENDED = 'P',   /* STATUS: the launcher's proxy over an initial process has ended */
    REPORT_SIGUSR1 = 'U'        /* 0: an initial process has received this signal */
};
